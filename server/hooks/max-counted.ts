/** Deliveries of a hook are counted up to this number, which then means "this many or more". */
export const maxCounted = 1000
