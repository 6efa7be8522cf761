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
  email: 'E-mail address',
  admin: 'Administrator',
  active: 'Activated',
  prohibit_login: 'Disable signing in',
  allow_create_organization: 'May create organizations',
  max_repositories: 'Most repositories',
}

export function EditUserForm({ user, isMe }: { user: AdministeredUser; isMe: boolean }): ReactNode {
  const edit = useSaveForm({
    schema: async () => (await import('@/server/users/schema')).AccountFields,
    saved: accountOf(user),
    labels,
    save: async change => {
      const now = await trpc.users.save.mutate({ username: user.login, ...change })
      toast.success(`Saved ${user.login}`)
      return accountOf(now)
    },
  })

  return (
    <Panel title="Account">
      <SaveForm edit={edit} failed="The account was not saved" action="Save account">
        <TextField {...edit.text('full_name')} optional autoComplete="off" />
        <TextField {...edit.text('email')} type="email" autoComplete="off" />
        <CheckField {...edit.check('admin')} caption="Can manage every user of this site." />
        <CheckField {...edit.check('active')} caption="Off while a new account still has to be confirmed." />
        <CheckField
          {...edit.check('prohibit_login')}
          caption={
            isMe
              ? 'This is your own account.'
              : 'Passwords, SSH keys, tokens and sessions stop working; nothing is lost.'
          }
        />
        <CheckField
          {...edit.check('allow_create_organization')}
          caption="Organizations they own already stay. Administrators always may."
        />
        <TextField
          {...edit.text('max_repositories')}
          optional
          inputMode="numeric"
          autoComplete="off"
          caption="How many they may own. With nothing here, the maximum of the site counts."
        />
      </SaveForm>
    </Panel>
  )
}
