'use client'
import type { ReactNode } from 'react'
import { Panel } from '@/app/_components/box'
import { CheckField, TextField } from '@/app/_components/fields'
import { SaveForm } from '@/app/_components/save-form'
import { toast } from '@/app/_lib/toast'
import { trpc } from '@/app/_lib/trpc'
import { useSaveForm } from '@/app/_lib/use-save-form'
import type { User } from '@/server/users/schema'

const accountOf = ({ full_name, email, is_admin, active, prohibit_login }: User) => ({
  full_name,
  email,
  admin: is_admin,
  active,
  prohibit_login,
})

const labels = {
  full_name: 'Full name',
  email: 'E-mail address',
  admin: 'Administrator',
  active: 'Activated',
  prohibit_login: 'Disable signing in',
}

export function EditUserForm({ user, isMe }: { user: User; isMe: boolean }): ReactNode {
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
      </SaveForm>
    </Panel>
  )
}
