/** Sessions of browsers: how they begin, who is in one, and how they end. */
export { endAllSessions } from './revoke'
