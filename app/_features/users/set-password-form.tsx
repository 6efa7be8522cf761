'use client'
import type { ReactNode } from 'react'
import { useForm } from 'react-hook-form'
import { Panel } from '@/app/_components/box'
import { CheckField, FormBanner } from '@/app/_components/fields'
import form from '@/app/_components/form.module.css'
import { PasswordField } from '@/app/_components/password-field'
import { Button } from '@/app/_components/primer'
import { showFailure } from '@/app/_lib/failure'
import { toast } from '@/app/_lib/toast'
import { trpc } from '@/app/_lib/trpc'
import { useSchemaResolver } from '@/app/_lib/use-schema-resolver'
import { useSingleFlight } from '@/app/_lib/use-single-flight'
import { minPasswordLength } from '@/server/kernel/password-length'

const loadNewPassword = async () => {
  const { z } = await import('zod')
  return z.object({
    password: z.string().min(minPasswordLength, `Use at least ${minPasswordLength} characters.`),
    must_change_password: z.boolean(),
  })
}

export function SetPasswordForm({ username }: { username: string }): ReactNode {
  const change = useForm({ resolver: useSchemaResolver(loadNewPassword) })
  const { errors, isSubmitting } = change.formState

  const submit = useSingleFlight(
    change.handleSubmit(async input => {
      try {
        await trpc.users.edit.mutate({ username, ...input })
        change.reset()
        toast.success(`Set a new password for ${username}`)
      } catch (error) {
        showFailure(change, error)
      }
    }),
  )

  return (
    <Panel title="Set a new password">
      <form className={`${form.form} ${form.narrow}`} onSubmit={submit} noValidate method="post">
        <FormBanner title="The password couldn’t be set" message={errors.root?.server?.message} />
        <PasswordField
          {...change.register('password')}
          label="New password"
          autoComplete="new-password"
          caption={`At least ${minPasswordLength} characters. You’ll need to share it with the user.`}
          error={errors.password?.message}
        />
        <CheckField
          {...change.register('must_change_password')}
          defaultChecked
          label="Require a new password at the next sign-in"
        />
        <div className={form.actions}>
          <Button type="submit" loading={isSubmitting}>
            Set password
          </Button>
        </div>
      </form>
    </Panel>
  )
}
