/**
 * Sessions: signing in to the pages, and out again. What is over by itself is swept away from time to time.
 */
export { sweepExpiredSessions } from './sweep'
