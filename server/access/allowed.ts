declare const need: unique symbol

/**
 * Something that was loaded for a caller who has the access that `Need` names. Functions that require access
 * take this type, so they cannot be called before the check; only the loaders, which perform the check, create
 * values of it.
 */
export type Allowed<Found, Need> = Found & { readonly [need]: Need }

/**
 * Marks a loaded value as allowed. Only loaders call this function, after they have checked the caller's
 * access.
 */
export const allow = <Found, Need>(found: Found): Allowed<Found, Need> => found as Allowed<Found, Need>
