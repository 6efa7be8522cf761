import type { ServiceCtx } from '@/server/kernel/ctx'
import { defineJob } from '@/server/kernel/jobs'
import { oldestActive } from './expiry'
import { forgetDigest } from './running-digest'
import { deleteUpload, deleteUploadsBefore } from './store'

/** Deletes an upload. A cleanup job later deletes its stored parts unless the upload has become a file. */
export async function discardUpload({ db }: Pick<ServiceCtx, 'db'>, id: string): Promise<void> {
  await deleteUpload(db, id)
  forgetDigest(id)
}

/** Deletes uploads that had no progress for a week, including finished ones. */
export const sweepUploadsJob = defineJob({
  name: 'releases.sweepUploads',
  run: async ({ db, clock }) => ({ deleted: await deleteUploadsBefore(db, oldestActive(clock.now())) }),
})
