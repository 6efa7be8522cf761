declare const need: unique symbol

/**
 * A branded type for a value that was loaded for a caller with the access that `Need` describes. Functions
 * that require access take this type, so they cannot be called without the access check. Only loader
 * functions, which perform the check, create values of this type.
 */
export type Allowed<Found, Need> = Found & { readonly [need]: Need }

/**
 * Brands a loaded value as allowed for the caller. Only loader functions call this, after they have checked
 * the caller's access.
 */
export const allow = <Found, Need>(found: Found): Allowed<Found, Need> => found as Allowed<Found, Need>
