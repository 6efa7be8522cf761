/**
 * Accounts: who exists here, how they are shown, and how they come and go.
 * Other rooms find people through this door and show them with `viewUser`.
 */
export { getAccount, getVisibleAccount } from './find'
export { explainGone } from './gone'
export { register } from './register'
export { setUp } from './set-up'
export { anyUserExists, selectAccounts } from './store'
export { viewUser } from './view'
