// The numbers of the calls of each kind of object. src/calls.rs has the same.

export const OBJECTS_POSES = 0;
export const OBJECTS_FILTERS = 1;
export const OBJECTS_GRID = 2;
export const OBJECTS_PACER = 3;
export const OBJECTS_FREE = 4;

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

