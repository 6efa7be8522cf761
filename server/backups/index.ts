/** Backups of a whole site: database, repositories, and objects. */

export { directSite, type LiveSite } from './live'
export { parsePlace } from './place/address'
export type { Secrets } from './place/encryption'
export { openPlace, type Place } from './place/place'
export type { ProgressState } from './progress'
export { openSnapshot } from './restore/open-snapshot'
export { type RestoreSummary, restoreSite } from './restore/restore'
export { type BackupSummary, runBackup } from './run'
export { connectToSite } from './socket/remote'
export { type BackupListener, listenForBackups } from './socket/serve'
export { type Verification, verifyBackup, verifyPresence } from './verify'
