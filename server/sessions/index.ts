/** Browser sessions: sign-in, the list of a person's sessions, and their revocation. */
export { endAllSessions } from './revoke'
