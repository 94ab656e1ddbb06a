//! Warns of entities that two plugins smooth.

use bevy_ecs::archetype::{ArchetypeGeneration, Archetypes};
use bevy_ecs::component::Components;
use bevy_ecs::error::{BevyError, Severity};
use bevy_ecs::reflect::AppTypeRegistry;
use bevy_ecs::system::{Local, Res};

use super::components::SmoothTransform;

/// Components of `bevy_transform_interpolation`, which Avian brings along.
const OTHERS: [&str; 6] = [
    "bevy_transform_interpolation::interpolation::TranslationInterpolation",
    "bevy_transform_interpolation::interpolation::RotationInterpolation",
    "bevy_transform_interpolation::interpolation::ScaleInterpolation",
    "bevy_transform_interpolation::extrapolation::TranslationExtrapolation",
    "bevy_transform_interpolation::extrapolation::RotationExtrapolation",
    "bevy_transform_interpolation::extrapolation::ScaleExtrapolation",
];

/// Looks at combinations of components that are new since the last frame.
pub(super) fn warn_of_double_smoothing(
    archetypes: &Archetypes,
    components: &Components,
    types: Option<Res<AppTypeRegistry>>,
    mut seen: Local<Option<ArchetypeGeneration>>,
) -> Result<(), BevyError> {
    let since = seen
        .replace(archetypes.generation())
        .unwrap_or(ArchetypeGeneration::initial());
    let (Some(ours), Some(types)) = (components.component_id::<SmoothTransform>(), types) else {
        return Ok(());
    };
    let new = &archetypes[since..];
    if !new.iter().any(|archetype| archetype.contains(ours)) {
        return Ok(());
    }
    let types = types.read();
    for name in OTHERS {
        let id = types.get_with_type_path(name).map(|known| known.type_id());
        let Some(theirs) = id.and_then(|id| components.get_id(id)) else {
            continue;
        };
        let mut both = new
            .iter()
            .filter(|archetype| archetype.contains(ours) && archetype.contains(theirs));
        if let Some(archetype) = both.next() {
            let entity = archetype.entities().first().map(|entity| entity.id());
            let entity = entity.map_or_else(|| "an entity".to_owned(), |id| format!("entity {id}"));
            let message = format!(
                "{entity} has both SmoothTransform and {name}: two plugins would write its Transform in every frame; remove one of the components"
            );
            return Err(BevyError::new(Severity::Warning, message));
        }
    }
    Ok(())
}
