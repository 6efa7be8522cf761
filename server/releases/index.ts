/** Releases of repositories: what was published, from which tag, with which files. */

export { isShown, servedContentType } from './assets/content-type'
export { type DownloadTarget, findDownload } from './assets/download'
export { type AttachmentRow, countDownload } from './assets/store'
export { findRelease } from './store'
export { viewRelease } from './view'
