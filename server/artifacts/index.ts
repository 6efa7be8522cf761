/** Artifacts: the files that jobs of workflow runs produce. */

export { fileNameOf } from './content-type'
export { createArtifact } from './create'
export { deleteForJob } from './delete'
export { finalizeForJob } from './finalize-for-job'
export { listForJob } from './list-for-job'
export { findPermitted, loadArtifact, requireStored, type StoredArtifact } from './load'
export { type ArtifactMember, findMember, readMember } from './member'
export { previewOf, savedTypeOf } from './preview'
export {
  checkDownload,
  checkRaw,
  type DownloadPermit,
  parseDownloadPath,
  type SignatureState,
  signRaw,
} from './signed-path'
export { directUrl, signForJob } from './signed-url'
export type { ArtifactRow } from './store'
