// The widths that a person can give a column, in pixels.

export const NARROWEST = 56;
/** By how much one press of a key changes the width. */
export const WIDTH_STEP = 16;
