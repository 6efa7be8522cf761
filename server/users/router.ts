import { z } from 'zod'
import { router } from '@/server/trpc/init'
import {
  adminProcedure,
  adminWith,
  openProcedure,
  sessionProcedure,
  signedInProcedure,
} from '@/server/trpc/procedures'
import { rest } from '@/server/trpc/rest'
import { changePassword } from './change-password'
import { createUser } from './create'
import { editUser, saveUser } from './edit'
import { getAccountOrMoved, getPerson } from './find'
import { browseUsers, listUsers, searchUsers } from './list'
import { prohibitLogin } from './prohibit-login'
import { listDeletionObstacles } from './remove'
import { mayRename, renameMe, renameUser } from './rename'
import {
  AdministeredUser,
  BrowsedUserPage,
  BrowseUsersInput,
  ChangePasswordInput,
  CreateUserOption,
  DeletionObstacles,
  EditUserOption,
  Email,
  ListUsersInput,
  ProhibitLoginInput,
  RenameMeInput,
  RenameUserOption,
  SaveSettingsInput,
  SaveUserInput,
  SearchUsersInput,
  User,
  UserPage,
  UserPath,
  UserSettings,
  UserSettingsOptions,
} from './schema'
import { saveSettings, updateSettings, viewSettings } from './settings'
import { viewAdministered, viewUser } from './view'

const own = { tag: 'user', scopes: ['user'] } as const
const admin = { tag: 'admin', scopes: ['admin'] } as const
const noSuchUser = { 404: 'The user does not exist or is not visible to you.' }
const weakPassword = { 400: 'The password is missing, too short, or too long.' }

const person = adminWith(UserPath, (ctx, { username }) => getPerson(ctx, username))

export const usersRouter = router({
  getMe: signedInProcedure
    .meta(rest('GET', '/user', { ...own, summary: 'Get the signed-in user' }))
    .output(User)
    .query(({ ctx }) => viewUser(ctx, ctx.caller.user)),

  listEmails: signedInProcedure
    .meta(rest('GET', '/user/emails', { ...own, private: true, summary: 'List your email addresses' }))
    .output(z.array(Email))
    .query(({ ctx: { caller } }) => [
      { email: caller.user.email, verified: caller.user.is_active, primary: true, user_id: 0, username: '' },
    ]),

  getSettings: signedInProcedure
    .meta(rest('GET', '/user/settings', { ...own, private: true, summary: 'Get your settings' }))
    .output(UserSettings)
    .query(({ ctx }) => viewSettings(ctx.caller.user)),

  updateSettings: signedInProcedure
    .meta(rest('PATCH', '/user/settings', { ...own, private: true, summary: 'Update your settings' }))
    .input(UserSettingsOptions)
    .output(UserSettings)
    .mutation(({ ctx, input }) => updateSettings(ctx, input)),

  saveSettings: signedInProcedure
    .input(SaveSettingsInput)
    .output(UserSettings)
    .mutation(({ ctx, input }) => saveSettings(ctx, input)),

  changePassword: sessionProcedure
    .input(ChangePasswordInput)
    .output(z.void())
    .mutation(({ ctx, input }) => changePassword(ctx, input)),

  search: openProcedure
    .meta(
      rest('GET', '/users/search', {
        tag: 'user',
        scopes: ['user'],
        anonymous: true,
        page: 'links',
        envelope: true,
        summary: 'Search users by name',
      }),
    )
    .input(SearchUsersInput)
    .output(UserPage)
    .query(({ ctx, input }) => searchUsers(ctx, input)),

  get: openProcedure
    .meta(
      rest('GET', '/users/{username}', {
        formerNames: true,
        tag: 'user',
        scopes: ['user'],
        anonymous: true,
        summary: 'Get a user or organization',
        errors: noSuchUser,
      }),
    )
    .input(UserPath)
    .output(User)
    .query(async ({ ctx, input }) => viewUser(ctx, await getAccountOrMoved(ctx, input.username))),

  list: adminProcedure
    .meta(
      rest('GET', '/admin/users', {
        ...admin,
        page: 'links',
        summary: 'List all users',
        errors: { 422: 'The visibility, sort, or order is invalid.' },
      }),
    )
    .input(ListUsersInput)
    .output(UserPage)
    .query(({ ctx, input }) => listUsers(ctx, input)),

  create: adminProcedure
    .meta(
      rest('POST', '/admin/users', { ...admin, status: 201, summary: 'Create a user', errors: weakPassword }),
    )
    .input(CreateUserOption)
    .output(User)
    .mutation(({ ctx, input }) => createUser(ctx, input)),

  edit: person
    .meta(
      rest('PATCH', '/admin/users/{username}', {
        ...admin,
        summary: 'Update a user',
        errors: {
          ...noSuchUser,
          400: 'The email address is in use, or the password is missing, too short, or too long.',
        },
      }),
    )
    .input(EditUserOption)
    .output(User)
    .mutation(({ ctx, input }) => editUser(ctx, ctx.found, input)),

  getAdministered: person.output(AdministeredUser).query(({ ctx }) => viewAdministered(ctx, ctx.found)),

  save: person
    .input(SaveUserInput)
    .output(AdministeredUser)
    .mutation(({ ctx, input }) => saveUser(ctx, ctx.found, input)),

  rename: person
    .meta(
      rest('POST', '/admin/users/{username}/rename', {
        ...admin,
        status: 204,
        summary: 'Rename a user; the old name redirects to the new one',
        errors: {
          ...noSuchUser,
          422: "The name is in use or not allowed, or a directory manages the account's name.",
        },
      }),
    )
    .input(RenameUserOption)
    .output(z.void())
    .mutation(({ ctx, input }) => renameUser(ctx, ctx.found, input)),

  mayRename: sessionProcedure.output(z.boolean()).query(({ ctx }) => mayRename(ctx)),

  renameMe: sessionProcedure
    .input(RenameMeInput)
    .output(z.void())
    .mutation(({ ctx, input }) => renameMe(ctx, input)),

  browse: adminProcedure
    .input(BrowseUsersInput)
    .output(BrowsedUserPage)
    .query(({ ctx, input }) => browseUsers(ctx, input)),

  prohibitLogin: adminProcedure
    .input(ProhibitLoginInput)
    .output(z.array(z.int()))
    .mutation(({ ctx, input }) => prohibitLogin(ctx, input)),

  listDeletionObstacles: adminProcedure
    .input(UserPath)
    .output(DeletionObstacles)
    .query(({ ctx, input }) => listDeletionObstacles(ctx, input.username)),
})
