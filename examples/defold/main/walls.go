components {
  id: "collisionobject"
  component: "/main/floor.collisionobject"
}
components {
  id: "interpolation"
  component: "/main/interpolation.script"
}
