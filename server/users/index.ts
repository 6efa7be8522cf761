/**
 * Accounts of people: creation, changes, deletion, and API representation. Other modules find accounts with
 * these functions and present them with `viewUser`.
 */
export { commitAddressesOf, findAccountsByEmail } from './accounts-by-email'
export { endCollaborations } from './collaborations'
export { mapForeignKeyError, mapUniqueError } from './errors'
export { getAccountOrMoved, getPerson, getVisibleAccount, ifVisible, noSuchUser } from './find'
export { leaveName, nameFreeAt, takeName } from './former-name'
export { findPeople } from './list'
export { checkName, checkNewName } from './name'
export { endOffers } from './offers'
export { provePassword } from './prove-password'
export { register } from './register'
export { type Ended, endedOf, maxPreviewNames, type Removal, removal } from './removal'
export { lockOut, removeAccount, removeUser } from './remove'
export { setUp } from './set-up'
export { defaultTheme } from './settings'
export { anyUserExists, keepAccounts, lockAccounts, lockPeople, selectAccounts } from './store'
export { viewDeployKeyActor, viewGhost, viewJobActor, viewUser, viewUserForOthers } from './view'
