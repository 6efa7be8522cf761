/** Maximum to which the deliveries of a webhook are counted. A count of 1,000 means 1,000 or more. */
export const maxCounted = 1000
