declare const need: unique symbol

/**
 * Something that was loaded for a caller who may do what `Need` says with it. Verbs ask for it in their signature, so that none
 * can be called before the check; only the loaders, which check, make one.
 */
export type Allowed<Found, Need> = Found & { readonly [need]: Need }

/** For loaders alone, once the caller is known to have the need. */
export const allow = <Found, Need>(found: Found): Allowed<Found, Need> => found as Allowed<Found, Need>
