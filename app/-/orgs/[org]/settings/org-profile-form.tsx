'use client'
import { zodResolver } from '@hookform/resolvers/zod'
import { useRouter } from 'next/navigation'
import type { ReactNode } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { toast } from 'sonner'
import { Panel } from '@/app/_components/box'
import form from '@/app/_components/form.module.css'
import { FormBanner } from '@/app/_components/form-banner'
import { SaveActions } from '@/app/_components/save-actions'
import { TextField } from '@/app/_components/text-field'
import { TextareaField } from '@/app/_components/textarea-field'
import { showFailure } from '@/app/_lib/form-error'
import { trpc } from '@/app/_lib/trpc'
import { useHydrated } from '@/app/_lib/use-hydrated'
import { useSingleFlight } from '@/app/_lib/use-single-flight'
import { useUnsavedWarning } from '@/app/_lib/use-unsaved-warning'
import { EditOrgOption, type Organization } from '@/server/orgs/schema'
import { VisibilityField } from '../../_org/visibility-field'

const Profile = EditOrgOption.pick({
  full_name: true,
  description: true,
  website: true,
  location: true,
  email: true,
  visibility: true,
})

const profileOf = ({ full_name, description, website, location, email, visibility }: Organization) => ({
  full_name,
  description,
  website,
  location,
  email,
  visibility,
})

export function OrgProfileForm({ organization }: { organization: Organization }): ReactNode {
  const router = useRouter()
  const hydrated = useHydrated()
  const saved = profileOf(organization)
  const profile = useForm({ resolver: zodResolver(Profile), defaultValues: saved })
  const { errors, isDirty, isSubmitting } = profile.formState
  const visibility = useWatch({ control: profile.control, name: 'visibility' })
  useUnsavedWarning(isDirty)

  const submit = useSingleFlight(
    profile.handleSubmit(async input => {
      try {
        profile.reset(profileOf(await trpc.orgs.edit.mutate({ org: organization.name, ...input })))
        toast.success('Profile saved')
        router.refresh()
      } catch (error) {
        showFailure(profile, error)
      }
    }),
  )
  const field = (name: keyof typeof saved) => ({
    ...profile.register(name),
    defaultValue: saved[name],
    readOnly: !hydrated,
    error: errors[name]?.message,
  })

  return (
    <Panel title="Profile">
      <form className={`${form.form} ${form.narrow}`} onSubmit={submit} noValidate method="post">
        <FormBanner title="The profile was not saved" message={errors.root?.server?.message} />
        <TextField {...field('full_name')} label="Full name" optional autoComplete="off" />
        <TextareaField {...field('description')} label="Description" optional rows={3} />
        <TextField
          {...field('website')}
          label="Website"
          type="url"
          optional
          autoComplete="off"
          placeholder="https://"
        />
        <TextField {...field('location')} label="Location" optional autoComplete="off" />
        <TextField
          {...field('email')}
          label="E-mail address"
          type="email"
          optional
          autoComplete="off"
          caption="Shown to people who are signed in."
        />
        <VisibilityField field={profile.register('visibility')} value={visibility} />
        <SaveActions words="Save profile" unsaved={isDirty} saving={isSubmitting} />
      </form>
    </Panel>
  )
}
