/** Backups of a whole site: database, repositories, and objects. */

export { directSite, type LiveSite } from './live'
export { parseLocation } from './location/address'
export type { Secrets } from './location/encryption'
export { type BackupLocation, NoBackups, openLocation } from './location/location'
export type { ProgressState } from './progress'
export { openSnapshot } from './restore/open-snapshot'
export { type RestoreSummary, restoreSite } from './restore/restore'
export { type BackupSummary, runBackup } from './run'
export { connectToSite } from './socket/remote'
export { listenForBackups } from './socket/serve'
export { getBackupStatus, observeBackups } from './status'
export { verifyBackup, verifyPresence } from './verify'
