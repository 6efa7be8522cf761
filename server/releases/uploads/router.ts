import { z } from 'zod'
import { router } from '@/server/trpc/init'
import { signedInWith } from '@/server/trpc/procedures'
import { loadRelease } from '../load'
import { ReleasePath } from '../schema'
import { cancelUpload, listUploads } from './list'
import { CancelUploadInput, UnfinishedUploadList } from './schema'

const written = signedInWith(ReleasePath, (ctx, path) => loadRelease(ctx, path, 'write'))

export const uploadsRouter = router({
  list: written.output(UnfinishedUploadList).query(({ ctx }) => listUploads(ctx, ctx.found)),

  cancel: written
    .input(CancelUploadInput)
    .output(z.void())
    .mutation(({ ctx, input }) => cancelUpload(ctx, ctx.found, input.upload_id)),
})
