/** How many deliveries of a hook are counted; so many stand for more. */
export const maxCounted = 1000
