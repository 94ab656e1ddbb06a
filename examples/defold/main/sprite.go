components {
  id: "sprite"
  component: "/main/block.sprite"
}
