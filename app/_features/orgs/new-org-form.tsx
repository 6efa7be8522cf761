'use client'
import { useRouter } from 'next/navigation'
import type { ReactNode } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { FormBanner, TextField } from '@/app/_components/fields'
import form from '@/app/_components/form.module.css'
import { ButtonLink } from '@/app/_components/links'
import { Button } from '@/app/_components/primer'
import { showFailure } from '@/app/_lib/failure'
import { orgPath } from '@/app/_lib/paths'
import { toast } from '@/app/_lib/toast'
import { trpc } from '@/app/_lib/trpc'
import { useSchemaResolver } from '@/app/_lib/use-schema-resolver'
import { useSingleFlight } from '@/app/_lib/use-single-flight'
import { refreshPage } from '@/app/_lib/workarounds/navigation-queue'
import { useUnsavedWarning } from '@/app/_lib/workarounds/use-unsaved-warning'
import { OrgNameField, VisibilityField } from './fields'

const loadNewOrg = async () =>
  (await import('@/server/orgs/schema')).CreateOrgOption.pick({
    username: true,
    full_name: true,
    visibility: true,
  })

export function NewOrgForm({ baseUrl }: { baseUrl: string }): ReactNode {
  const router = useRouter()
  const org = useForm({
    resolver: useSchemaResolver(loadNewOrg),
    defaultValues: { username: '', full_name: '', visibility: 'public' },
  })
  const { errors, isDirty, isSubmitting, isSubmitSuccessful } = org.formState
  useUnsavedWarning(isDirty && !isSubmitSuccessful)
  const [name, visibility] = useWatch({ control: org.control, name: ['username', 'visibility'] })

  const submit = useSingleFlight(
    org.handleSubmit(async input => {
      try {
        const made = await trpc.orgs.create.mutate(input)
        toast.success(`Created the organization ${made.name}`)
        router.push(orgPath(made.name))
        refreshPage()
      } catch (error) {
        showFailure(org, error)
      }
    }),
    isSubmitSuccessful,
  )

  return (
    <form className={`${form.form} ${form.narrow}`} onSubmit={submit} noValidate method="post">
      <FormBanner title="The organization couldn’t be created" message={errors.root?.server?.message} />
      <OrgNameField
        {...org.register('username')}
        autoFocus
        value={name}
        baseUrl={baseUrl}
        error={errors.username?.message}
      />
      <TextField
        {...org.register('full_name')}
        label="Full name"
        optional
        autoComplete="off"
        caption="Shown next to the name. For example, “Acme Rockets Ltd”."
        error={errors.full_name?.message}
      />
      <VisibilityField field={org.register('visibility')} value={visibility} />
      <div className={form.actions}>
        <Button type="submit" variant="primary" loading={isSubmitting || isSubmitSuccessful}>
          Create organization
        </Button>
        <ButtonLink href="/-/orgs">Cancel</ButtonLink>
      </div>
    </form>
  )
}
