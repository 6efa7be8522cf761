/** Personal access tokens: what a program presents instead of a password, limited to scopes. */
export { createToken } from './create'
