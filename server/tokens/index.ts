/** Access tokens of people: how they are made, listed and revoked. */
export { removeAllTokens } from './remove'
