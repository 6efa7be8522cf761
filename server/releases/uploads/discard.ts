import type { ServiceCtx } from '@/server/kernel/ctx'
import { defineJob } from '@/server/kernel/jobs'
import { oldestActive } from './expiry'
import { forgetDigest } from './running-digest'
import { deleteUpload, deleteUploadsBefore } from './store'

/** Forgets an upload; what has come of it goes with the next sweep, unless it has become a file. */
export async function discardUpload({ db }: Pick<ServiceCtx, 'db'>, id: string): Promise<void> {
  await deleteUpload(db, id)
  forgetDigest(id)
}

/** Forgets the uploads that nothing has come of for a week, and those that became files then. */
export const sweepUploadsJob = defineJob({
  name: 'releases.sweepUploads',
  run: async ({ db, clock }) => ({ deleted: await deleteUploadsBefore(db, oldestActive(clock.now())) }),
})
