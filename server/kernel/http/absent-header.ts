/** Path of Next's page for paths that do not exist. */
export const notFoundPath = '/_not-found'

/**
 * Name of the request header that contains the path for which no page was found. It is set only for requests
 * to the not-found page. Our own server sets it, and removes it from requests of clients.
 */
export const absentHeader = 'x-guildhall-absent'
