import { z } from 'zod'
import { requireUpload } from '@/server/trpc/admission'
import { router } from '@/server/trpc/init'
import { actingWith, openProcedure } from '@/server/trpc/procedures'
import { rest } from '@/server/trpc/rest'
import { loadRelease } from '../load'
import { Attachment, ReleasePath } from '../schema'
import { addAttachment } from './add'
import { editAttachment } from './edit'
import { getAttachment, listAttachments } from './list'
import { loadAttachment } from './load'
import { removeAttachment, restoreAttachment } from './remove'
import { AddAttachmentInput, AttachmentList, AttachmentPath, EditAttachmentOptions } from './schema'

const at = '/repos/{owner}/{repo}/releases/{id}/assets'
const common = { tag: 'repository', scopes: ['repository'] } as const
const change = { ...common, job: 'contents' } as const
const noRelease = {
  403: 'You do not have permission to read releases.',
  404: 'The release does not exist or is not visible to you.',
}
const noFile = { ...noRelease, 404: 'The file or release does not exist or is not visible to you.' }
const notWritten = { 403: 'You do not have permission to write releases.' }

const written = actingWith(ReleasePath, (ctx, path) => loadRelease(ctx, path, 'write'))
const writtenFile = actingWith(AttachmentPath, (ctx, path) => loadAttachment(ctx, path, 'write'))

export const assetsRouter = router({
  list: openProcedure
    .meta(
      rest('GET', at, {
        ...common,
        anonymous: true,
        summary: 'List all files in a release, sorted by name and without pagination',
        errors: noRelease,
      }),
    )
    .input(ReleasePath)
    .output(AttachmentList)
    .query(({ ctx, input }) => listAttachments(ctx, input)),

  get: openProcedure
    .meta(
      rest('GET', `${at}/{attachment_id}`, {
        ...common,
        anonymous: true,
        summary: 'Get a file from a release',
        errors: noFile,
      }),
    )
    .input(AttachmentPath)
    .output(Attachment)
    .query(({ ctx, input }) => getAttachment(ctx, input)),

  add: written
    .meta(
      rest('POST', at, {
        ...change,
        status: 201,
        body: { formField: 'attachment' },
        query: ['name', 'replace'],
        summary: 'Add a file to a release',
        errors: {
          ...noRelease,
          ...notWritten,
          400: 'The file name is missing or invalid, the file type is not allowed, or the form is malformed.',
          404: 'The release does not exist or is not visible to you, or attachments are disabled.',
          413: "The file exceeds the site's size limit.",
          422: 'The release already has the maximum number of files.',
        },
      }),
    )
    .input(AddAttachmentInput)
    .output(Attachment)
    .mutation(({ ctx, input }) => addAttachment(ctx, ctx.found, requireUpload(ctx), input)),

  edit: writtenFile
    .meta(
      rest('PATCH', `${at}/{attachment_id}`, {
        ...change,
        status: 201,
        summary: 'Rename a file in a release',
        errors: {
          ...noFile,
          ...notWritten,
          422: 'The file name is invalid, or the file type is not allowed.',
        },
      }),
    )
    .input(EditAttachmentOptions)
    .output(Attachment)
    .mutation(({ ctx, input }) => editAttachment(ctx, ctx.found, input)),

  remove: writtenFile
    .meta(
      rest('DELETE', `${at}/{attachment_id}`, {
        ...change,
        status: 204,
        summary: 'Delete a file from a release',
        errors: { ...noFile, ...notWritten },
      }),
    )
    .output(z.void())
    .mutation(({ ctx }) => removeAttachment(ctx, ctx.found)),

  restore: written
    .input(AttachmentPath)
    .output(Attachment)
    .mutation(({ ctx, input }) => restoreAttachment(ctx, ctx.found, input.attachment_id)),
})
