import type { z } from 'zod'
import { withTransaction } from '@/db/transaction'
import { originOf, recordEvent } from '@/server/events'
import type { Account } from '@/server/kernel/account'
import type { UserCtx } from '@/server/kernel/ctx'
import { forbidden, notFound } from '@/server/kernel/errors'
import { isFeatureDisabled } from '@/server/kernel/features'
import { requireUnchanged } from '@/server/kernel/form-edit'
import type { SaveSettingsInput, UserSettings, UserSettingsOptions } from './schema'
import { lockUser, updateUser } from './store'

/** Default theme, under the name that Gitea uses for it in its API. */
export const defaultTheme = 'gitea-auto'

// Accepted as short forms of Gitea's theme names.
const shortThemes = new Set(['auto', 'light', 'dark'])

type Settings = z.output<typeof UserSettings>

export function viewSettings(account: Account): Settings {
  const { full_name, website, location, description, hide_email, language } = account
  const { theme, diff_view_style, hide_activity } = account
  const profile = { full_name, website, location, description, hide_email, language }
  return {
    ...profile,
    theme: shortThemes.has(theme) ? `gitea-${theme}` : theme || defaultTheme,
    diff_view_style,
    hide_activity,
  }
}

/**
 * Updates the fields of the caller's settings that are present in the input.
 * @throws {DomainError} forbidden if the site does not allow the caller to change their full name.
 */
export async function updateSettings(ctx: UserCtx, input: UserSettingsOptions): Promise<Settings> {
  return await update(ctx, input)
}

/**
 * Saves the fields of the caller's settings that were changed in the form.
 * @throws {DomainError} forbidden if the site does not allow the caller to change their full name; conflict
 * if one of these fields was changed elsewhere after the form was loaded.
 */
export async function saveSettings(ctx: UserCtx, input: SaveSettingsInput): Promise<Settings> {
  return await update(ctx, input.changes, input)
}

async function update(ctx: UserCtx, input: UserSettingsOptions, form?: SaveSettingsInput): Promise<Settings> {
  const { user } = ctx.caller
  const change = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined))
  const renames = change.full_name !== undefined && change.full_name !== user.full_name
  if (renames && isFeatureDisabled(ctx.config, user.login_type, 'change_full_name')) {
    throw forbidden('the full name cannot be changed', { field: 'full_name' })
  }
  if (Object.keys(change).length === 0) return viewSettings(user)
  return await withTransaction(ctx.db, async trx => {
    const current = form && (await lockUser(trx, user.id))
    if (current) requireUnchanged(viewSettings(current), form)
    const changed = await updateUser(trx, user.id, change)
    if (!changed) throw notFound()
    await recordEvent(trx, originOf(ctx), {
      kind: 'user.edited',
      ownerId: user.id,
      facts: { userId: user.id, name: user.name, changed: Object.keys(change).sort().join(' ') },
    })
    return viewSettings(changed)
  })
}
