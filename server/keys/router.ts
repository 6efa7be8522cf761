import { z } from 'zod'
import { router } from '@/server/trpc/init'
import { adminProcedure, adminWith, sessionProcedure, signedInProcedure } from '@/server/trpc/procedures'
import { rest } from '@/server/trpc/rest'
import { getPerson } from '@/server/users'
import { UserPath } from '@/server/users/schema'
import { addKey, addKeyFor } from './add'
import { deployKeysRouter } from './deploy/router'
import { getKey } from './get'
import { browseKeys, listMyKeys, listUserKeys } from './list'
import { removeKey, removeKeyFor, removeKeys, removeKeysFor } from './remove'
import {
  AddKeyForInput,
  AddKeyInput,
  BrowseKeysInput,
  KeyPath,
  KeyPreview,
  KeysPath,
  ListedKeyPage,
  ListMyKeysInput,
  ListUserKeysInput,
  PreviewKeyInput,
  PublicKey,
  PublicKeyPage,
  UserKeyPath,
  UserKeysPath,
} from './schema'
import { parsePublicKey } from './ssh/parse'
import { hasCurrentKey } from './store'

const own = { tag: 'keys', scopes: ['user'], private: true } as const
const admin = { tag: 'admin', scopes: ['admin'] } as const
const notManaged = 'The key does not exist, or users with your type of login cannot manage SSH keys here.'
const notYours = 'The key is managed by a directory or belongs to someone else.'

export const keysRouter = router({
  deploy: deployKeysRouter,

  browse: signedInProcedure
    .input(BrowseKeysInput)
    .output(ListedKeyPage)
    .query(({ ctx, input }) => browseKeys(ctx, input)),

  hasCurrent: sessionProcedure
    .output(z.boolean())
    .query(({ ctx }) => hasCurrentKey(ctx.db, ctx.caller.user.id, ctx.clock.now())),

  listMine: signedInProcedure
    .meta(rest('GET', '/user/keys', { ...own, page: 'links', summary: 'List your SSH keys' }))
    .input(ListMyKeysInput)
    .output(PublicKeyPage)
    .query(({ ctx, input }) => listMyKeys(ctx, input)),

  listOf: signedInProcedure
    .meta(
      rest('GET', '/users/{username}/keys', {
        tag: 'keys',
        scopes: ['user'],
        page: 'links',
        summary: "List a user's SSH keys",
        errors: { 404: 'The user does not exist.' },
      }),
    )
    .input(ListUserKeysInput)
    .output(PublicKeyPage)
    .query(({ ctx, input }) => listUserKeys(ctx, input)),

  get: signedInProcedure
    .meta(
      rest('GET', '/user/keys/{id}', {
        ...own,
        summary: 'Get an SSH key',
        errors: { 404: 'The key does not exist or is not visible to you.' },
      }),
    )
    .input(KeyPath)
    .output(PublicKey)
    .query(({ ctx, input }) => getKey(ctx, input.id)),

  add: signedInProcedure
    .meta(
      rest('POST', '/user/keys', {
        ...own,
        status: 201,
        summary: 'Add an SSH key',
        errors: { 404: notManaged },
      }),
    )
    .input(AddKeyInput)
    .output(PublicKey)
    .mutation(({ ctx, input }) => addKey(ctx, input)),

  remove: signedInProcedure
    .meta(
      rest('DELETE', '/user/keys/{id}', {
        ...own,
        status: 204,
        summary: 'Delete an SSH key',
        errors: { 403: notYours, 404: notManaged },
      }),
    )
    .input(KeyPath)
    .output(z.void())
    .mutation(({ ctx, input }) => removeKey(ctx, input.id)),

  removeSeveral: signedInProcedure
    .input(KeysPath)
    .output(z.int())
    .mutation(({ ctx, input }) => removeKeys(ctx, input.ids)),

  addFor: adminWith(UserPath, (ctx, { username }) => getPerson(ctx, username))
    .meta(
      rest('POST', '/admin/users/{username}/keys', {
        ...admin,
        status: 201,
        summary: 'Add an SSH key for a user',
        errors: { 404: 'The user does not exist.' },
      }),
    )
    .input(AddKeyForInput)
    .output(PublicKey)
    .mutation(({ ctx, input }) => addKeyFor(ctx, ctx.found, input)),

  removeFor: adminProcedure
    .meta(
      rest('DELETE', '/admin/users/{username}/keys/{id}', {
        ...admin,
        status: 204,
        summary: "Delete a user's SSH key",
        errors: { 403: notYours, 404: 'The user does not exist or does not have this key.' },
      }),
    )
    .input(UserKeyPath)
    .output(z.void())
    .mutation(({ ctx, input }) => removeKeyFor(ctx, input)),

  removeSeveralFor: adminProcedure
    .input(UserKeysPath)
    .output(z.int())
    .mutation(({ ctx, input }) => removeKeysFor(ctx, input)),

  preview: signedInProcedure
    .input(PreviewKeyInput)
    .output(KeyPreview)
    .query(({ input }) => parsePublicKey(input.key)),
})
