/** Artifacts: the files that jobs of workflow runs leave behind. */

export { fileNameOf } from './file-name'
export { findPermitted, loadArtifact, requireStored, type StoredArtifact } from './load'
export { previewOf } from './preview'
export { checkDownload, type DownloadPermit, parseDownloadPath } from './signed-path'
