/** Access tokens of people: creating, listing and revoking them. */
export { removeAllTokens } from './remove'
