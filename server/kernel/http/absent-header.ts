/** Where Next has the page of what is not found. */
export const notFoundPath = '/_not-found'

/**
 * Holds the address at which no page was found, in the request for the not-found page, and means nothing in any other. Our own
 * server sends it, and takes away what clients send of that name.
 */
export const absentHeader = 'x-guildhall-absent'
