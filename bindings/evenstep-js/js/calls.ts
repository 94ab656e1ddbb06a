// The numbers of what objects can do. src/calls.rs has the same.

export const OBJECTS_TIMESTEP = 0;
export const OBJECTS_SCHEDULE = 1;
export const OBJECTS_INPUT = 2;
export const OBJECTS_EVENTS = 3;
export const OBJECTS_STATS = 4;
export const OBJECTS_POSES = 5;
export const OBJECTS_FILTERS = 6;
export const OBJECTS_GRID = 7;
export const OBJECTS_PACER = 8;
export const OBJECTS_FREE = 9;

export const TIMESTEP_BEGIN_FRAME = 0;
export const TIMESTEP_ADVANCE = 1;
export const TIMESTEP_ADVANCE_GIVEN = 2;
export const TIMESTEP_GIVE_BACK = 3;
export const TIMESTEP_LOST = 4;
export const TIMESTEP_EXACT = 5;
export const TIMESTEP_TICK = 6;
export const TIMESTEP_DELTA = 7;
export const TIMESTEP_UNTIL_NEXT_STEP = 8;
export const TIMESTEP_MAX_STEPS = 9;
export const TIMESTEP_IS_SUSPENDED = 10;
export const TIMESTEP_SET_MAX_DELTA = 11;
export const TIMESTEP_SET_MAX_STEPS = 12;
export const TIMESTEP_UNSET_MAX_STEPS = 13;
export const TIMESTEP_DROP = 14;
export const TIMESTEP_CARRY = 15;
export const TIMESTEP_STRETCH = 16;
export const TIMESTEP_SET_TIME_SCALE = 17;
export const TIMESTEP_SET_LOOKAHEAD = 18;
export const TIMESTEP_STEP_ONCE = 19;
export const TIMESTEP_SUSPEND = 20;
export const TIMESTEP_RESUME = 21;
export const TIMESTEP_RESYNC = 22;
export const TIMESTEP_RESET = 23;

export const SCHEDULE_BEGIN_FRAME = 0;
export const SCHEDULE_ADVANCE = 1;
export const SCHEDULE_ADVANCE_GIVEN = 2;
export const SCHEDULE_NEXT_STEP = 3;
export const SCHEDULE_REFUSE = 4;
export const SCHEDULE_LOST = 5;
export const SCHEDULE_ALPHA = 6;
export const SCHEDULE_TICK = 7;
export const SCHEDULE_NOW = 8;
export const SCHEDULE_IS_BEHIND = 9;
export const SCHEDULE_UNTIL_NEXT_STEP = 10;
export const SCHEDULE_ADD = 11;
export const SCHEDULE_SET_MAX_DELTA = 12;
export const SCHEDULE_SET_MAX_BEHIND = 13;
export const SCHEDULE_SET_MAX_ADVANCE = 14;
export const SCHEDULE_DROP = 15;
export const SCHEDULE_CARRY = 16;
export const SCHEDULE_STRETCH = 17;
export const SCHEDULE_SET_TIME_SCALE = 18;
export const SCHEDULE_SET_SLEW = 19;
export const SCHEDULE_SUSPEND = 20;
export const SCHEDULE_RESUME = 21;
export const SCHEDULE_RESET = 22;

export const INPUT_PRESS = 0;
export const INPUT_RELEASE = 1;
export const INPUT_RELEASE_ALL = 2;
export const INPUT_MOTION = 3;
export const INPUT_WHEEL = 4;
export const INPUT_BEGIN_FRAME = 5;
export const INPUT_BEGIN_TASK = 6;
export const INPUT_BEGIN_STEP = 7;
export const INPUT_EVENT = 8;
export const INPUT_IS_HELD = 9;
export const INPUT_IS_DOWN = 10;
export const INPUT_PRESSES = 11;
export const INPUT_WAS_RELEASED = 12;
export const INPUT_MOVED = 13;
export const INPUT_COUNTS = 14;

export const EVENTS_EMIT = 0;
export const EVENTS_NEXT = 1;
export const EVENTS_RETRACT_FROM = 2;
export const EVENTS_COUNTS = 3;

export const STATS_RECORD = 0;
export const STATS_FRAME_TIME = 1;
export const STATS_REPORT = 2;

export const POSES_STATES = 0;
export const POSES_DRAWN = 1;
export const POSES_MATRICES = 2;
export const POSES_ADD = 3;
export const POSES_REMOVE = 4;
export const POSES_COMMIT = 5;
export const POSES_BEGIN_STEP = 6;
export const POSES_COMMIT_ROW = 7;
export const POSES_TELEPORT = 8;
export const POSES_SHIFT = 9;
export const POSES_DRAW = 10;
export const POSES_DRAW_MATRICES = 11;

export const FILTERS_ADD = 0;
export const FILTERS_BEGIN = 1;
export const FILTERS_APPLY = 2;
export const FILTERS_REFRESH_HZ = 3;
export const FILTERS_FILTERED_OUT = 4;
export const FILTERS_FRAME_ID = 5;
export const FILTERS_OBSERVE = 6;

export const GRID_SUBMIT = 0;
export const GRID_OBSERVE = 1;
export const GRID_NEXT_REFRESH = 2;
export const GRID_PREDICT = 3;
export const GRID_FRAMES_IN_FLIGHT = 4;

export const PACER_SET_PERCENTILE = 0;
export const PACER_SET_MARGIN = 1;
export const PACER_SET_VARIABLE_REFRESH = 2;
export const PACER_SET_LIMIT = 3;
export const PACER_SET_SAVING = 4;
export const PACER_PLAN = 5;
export const PACER_PLAN_FOR = 6;
export const PACER_PLANNED = 7;
export const PACER_FINISH = 8;
export const PACER_COST = 9;
export const PACER_REPORT = 10;

