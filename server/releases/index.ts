/** Releases of repositories and their files. */

export { type DownloadTarget, findDownload } from './assets/download'
export { type AttachmentRow, countDownload } from './assets/store'
export { findRelease } from './store'
export { viewRelease } from './view'
