/// What a contact did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ContactKind<V> {
    /// Two shapes began to touch.
    Begin,
    /// They touch no more.
    End,
    /// A shape came into a sensor.
    SensorBegin,
    /// It left the sensor.
    SensorEnd,
    /// They hit each other faster than the engine's threshold.
    Hit {
        /// Where, in the world.
        point: V,
        /// From the first shape to the second, of length 1.
        normal: V,
        /// How hard, in N·s.
        impulse: f32,
    },
}
