// The numbers of the calls of each kind of object. src/calls.rs has the same.

export const OBJECTS_POSES = 0;
export const OBJECTS_FREE = 1;

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
