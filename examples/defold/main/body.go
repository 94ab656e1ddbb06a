components {
  id: "collisionobject"
  component: "/main/body.collisionobject"
}
