'use client'
import { useRouter } from 'next/navigation'
import type { ReactNode } from 'react'
import { Panel } from '@/app/_components/box'
import { CheckField } from '@/app/_components/check-field'
import form from '@/app/_components/form.module.css'
import { FormBanner } from '@/app/_components/form-banner'
import { SaveActions } from '@/app/_components/save-actions'
import { SaveConflicts } from '@/app/_components/save-conflicts'
import { TextField } from '@/app/_components/text-field'
import { toast } from '@/app/_lib/toast'
import { trpc } from '@/app/_lib/trpc'
import { useHydrated } from '@/app/_lib/use-hydrated'
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
  const router = useRouter()
  const hydrated = useHydrated()
  const saved = accountOf(user)
  const {
    form: account,
    submit,
    unsaved,
    saving,
    problem,
    conflicts,
    takeTheirs,
  } = useSaveForm({
    schema: async () => (await import('@/server/users/schema')).AccountFields,
    saved,
    save: async edit => {
      const now = await trpc.users.save.mutate({ username: user.login, ...edit })
      toast.success(`Saved ${user.login}`)
      router.refresh()
      return accountOf(now)
    },
  })
  const { errors } = account.formState

  return (
    <Panel title="Account">
      <form className={`${form.form} ${form.narrow}`} onSubmit={submit} noValidate method="post">
        <FormBanner title="The account was not saved" message={problem} />
        <SaveConflicts conflicts={conflicts} labels={labels} onTake={takeTheirs} />
        <TextField
          {...account.register('full_name')}
          defaultValue={saved.full_name}
          readOnly={!hydrated}
          label={labels.full_name}
          optional
          autoComplete="off"
          error={errors.full_name?.message}
        />
        <TextField
          {...account.register('email')}
          defaultValue={saved.email}
          readOnly={!hydrated}
          label={labels.email}
          type="email"
          autoComplete="off"
          error={errors.email?.message}
        />
        <CheckField
          {...account.register('admin')}
          defaultChecked={saved.admin}
          label={labels.admin}
          caption="Can manage every user of this site."
        />
        <CheckField
          {...account.register('active')}
          defaultChecked={saved.active}
          label={labels.active}
          caption="Off while a new account still has to be confirmed."
        />
        <CheckField
          {...account.register('prohibit_login')}
          defaultChecked={saved.prohibit_login}
          label={labels.prohibit_login}
          caption={
            isMe
              ? 'This is your own account.'
              : 'Passwords, tokens and sessions stop working; nothing is lost.'
          }
        />
        <SaveActions words="Save account" unsaved={unsaved} saving={saving} />
      </form>
    </Panel>
  )
}
