'use client'
import { zodResolver } from '@hookform/resolvers/zod'
import { useRouter } from 'next/navigation'
import type { ReactNode } from 'react'
import { useForm } from 'react-hook-form'
import { toast } from 'sonner'
import { Panel } from '@/app/_components/box'
import { CheckField } from '@/app/_components/check-field'
import form from '@/app/_components/form.module.css'
import { FormBanner } from '@/app/_components/form-banner'
import { SaveActions } from '@/app/_components/save-actions'
import { TextField } from '@/app/_components/text-field'
import { showFailure } from '@/app/_lib/form-error'
import { trpc } from '@/app/_lib/trpc'
import { useHydrated } from '@/app/_lib/use-hydrated'
import { useSingleFlight } from '@/app/_lib/use-single-flight'
import { useUnsavedWarning } from '@/app/_lib/use-unsaved-warning'
import { EditUserOption, type User } from '@/server/users/schema'

const Account = EditUserOption.pick({
  full_name: true,
  email: true,
  admin: true,
  active: true,
  prohibit_login: true,
})

const accountOf = ({ full_name, email, is_admin, active, prohibit_login }: User) => ({
  full_name,
  email,
  admin: is_admin,
  active,
  prohibit_login,
})

export function EditUserForm({ user, isMe }: { user: User; isMe: boolean }): ReactNode {
  const router = useRouter()
  const hydrated = useHydrated()
  const saved = accountOf(user)
  const account = useForm({ resolver: zodResolver(Account), defaultValues: saved })
  const { errors, isDirty, isSubmitting } = account.formState
  useUnsavedWarning(isDirty)

  const submit = useSingleFlight(
    account.handleSubmit(async input => {
      try {
        account.reset(accountOf(await trpc.users.edit.mutate({ username: user.login, ...input })))
        toast.success(`Saved ${user.login}`)
        router.refresh()
      } catch (error) {
        showFailure(account, error)
      }
    }),
  )

  return (
    <Panel title="Account">
      <form className={`${form.form} ${form.narrow}`} onSubmit={submit} noValidate method="post">
        <FormBanner title="The account was not saved" message={errors.root?.server?.message} />
        <TextField
          {...account.register('full_name')}
          defaultValue={saved.full_name}
          readOnly={!hydrated}
          label="Full name"
          optional
          autoComplete="off"
          error={errors.full_name?.message}
        />
        <TextField
          {...account.register('email')}
          defaultValue={saved.email}
          readOnly={!hydrated}
          label="E-mail address"
          type="email"
          autoComplete="off"
          error={errors.email?.message}
        />
        <CheckField
          {...account.register('admin')}
          defaultChecked={saved.admin}
          label="Administrator"
          caption="Can manage every user of this site."
        />
        <CheckField
          {...account.register('active')}
          defaultChecked={saved.active}
          label="Activated"
          caption="Off while a new account still has to be confirmed."
        />
        <CheckField
          {...account.register('prohibit_login')}
          defaultChecked={saved.prohibit_login}
          label="Disable signing in"
          caption={
            isMe
              ? 'This is your own account.'
              : 'Passwords, tokens and sessions stop working; nothing is lost.'
          }
        />
        <SaveActions words="Save account" unsaved={isDirty} saving={isSubmitting} />
      </form>
    </Panel>
  )
}
