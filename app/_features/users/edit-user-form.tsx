'use client'
import type { ReactNode } from 'react'
import { Panel } from '@/app/_components/box'
import { CheckField, TextField } from '@/app/_components/fields'
import { SaveForm } from '@/app/_components/save-form'
import { toast } from '@/app/_lib/toast'
import { trpc } from '@/app/_lib/trpc'
import { useSaveForm } from '@/app/_lib/use-save-form'
import type { AdministeredUser } from '@/server/users/schema'

const accountOf = (user: AdministeredUser) => ({
  full_name: user.full_name,
  email: user.email,
  admin: user.is_admin,
  active: user.active,
  prohibit_login: user.prohibit_login,
  allow_create_organization: user.allow_create_organization,
  max_repositories: user.max_repositories === null ? '' : String(user.max_repositories),
})

const labels = {
  full_name: 'Full name',
  email: 'Email address',
  admin: 'Administrator',
  active: 'Activated',
  prohibit_login: 'Disable sign-in',
  allow_create_organization: 'Can create organizations',
  max_repositories: 'Repository limit',
}

export function EditUserForm({ user, isMe }: { user: AdministeredUser; isMe: boolean }): ReactNode {
  const edit = useSaveForm({
    schema: async () => (await import('@/server/users/schema')).AccountFields,
    saved: accountOf(user),
    labels,
    save: async change => {
      const now = await trpc.users.save.mutate({ username: user.login, ...change })
      toast.success(`Saved the account ${user.login}`)
      return accountOf(now)
    },
  })

  return (
    <Panel title="Account">
      <SaveForm edit={edit} failed="The account couldn’t be saved" action="Save account">
        <TextField {...edit.text('full_name')} optional autoComplete="off" />
        <TextField {...edit.text('email')} type="email" autoComplete="off" />
        <CheckField {...edit.check('admin')} caption="Can manage this site and all its users." />
        <CheckField
          {...edit.check('active')}
          caption="Turn this off to prevent the account from being used until it’s confirmed."
        />
        <CheckField
          {...edit.check('prohibit_login')}
          caption={
            isMe
              ? 'This is your own account. You’ll be signed out and won’t be able to sign in again.'
              : 'Signs the user out. Their password, SSH keys, and access tokens won’t work until you enable sign-in again.'
          }
        />
        <CheckField
          {...edit.check('allow_create_organization')}
          caption="Doesn’t affect organizations they already own. Administrators can always create organizations."
        />
        <TextField
          {...edit.text('max_repositories')}
          optional
          inputMode="numeric"
          autoComplete="off"
          caption="Maximum number of repositories this user can own. Leave this empty to use the site’s maximum."
        />
      </SaveForm>
    </Panel>
  )
}
