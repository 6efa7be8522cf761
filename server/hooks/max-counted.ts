/** Limit for counting the deliveries of a webhook. A count of 1,000 means 1,000 or more. */
export const maxCounted = 1000
