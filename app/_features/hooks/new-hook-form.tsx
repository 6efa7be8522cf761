'use client'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import type { ReactNode } from 'react'
import { type UseFormRegisterReturn, useForm, useWatch } from 'react-hook-form'
import { ChoiceGroup, FormBanner } from '@/app/_components/fields'
import form from '@/app/_components/form.module.css'
import { ButtonLink } from '@/app/_components/links'
import { Button, FormControl, Radio, Select } from '@/app/_components/primer'
import { showFailure } from '@/app/_lib/failure'
import { addressWarningQuery, hooksKey } from '@/app/_lib/queries/hooks'
import { trpc } from '@/app/_lib/trpc'
import { useSchemaResolver } from '@/app/_lib/use-schema-resolver'
import { useSingleFlight } from '@/app/_lib/use-single-flight'
import { refreshPage } from '@/app/_lib/workarounds/navigation-queue'
import { useUnsavedWarning } from '@/app/_lib/workarounds/use-unsaved-warning'
import type { HookType } from '@/server/hooks/schema'
import type { ScopeName } from '@/server/scopes/schema'
import { noteCreated } from './created-notice'
import type { NewHook } from './form-schemas'
import { HookFieldset, type HookTextName, hookLabels } from './hook-fields'
import { hooksPath } from './hook-paths'
import { newSecret, SecretField } from './secret-field'
import { typeLabels } from './type-labels'

interface NewHookFormProps {
  scope: ScopeName
  type: HookType
  /** Whether a site webhook receives events from every repository. */
  isSystem: boolean
}

const loadNewHook = async () => (await import('./form-schemas')).NewHook

const blank = {
  url: '',
  content_type: 'json' as const,
  channel: '',
  username: '',
  icon_url: '',
  color: '',
  name: '',
  branch_filter: '',
  events: 'push',
  active: true,
  secret: '',
  authorization_header: '',
}

export function NewHookForm({ scope, type: firstType, isSystem }: NewHookFormProps): ReactNode {
  const router = useRouter()
  const queryClient = useQueryClient()
  const hook = useForm({
    resolver: useSchemaResolver(loadNewHook),
    defaultValues: { ...blank, type: firstType, system: isSystem },
  })
  const { errors, isDirty, isSubmitting, isSubmitSuccessful } = hook.formState
  const values = useWatch({ control: hook.control }) as NewHook
  useUnsavedWarning(isDirty && !isSubmitSuccessful)

  const submit = useSingleFlight(
    hook.handleSubmit(async input => {
      try {
        const { system, ...fields } = input
        const { hook: made, warning } = await trpc.hooks.add.mutate({
          scope,
          ...fields,
          ...(scope.kind === 'site' ? { system } : {}),
        })
        queryClient.setQueryData(addressWarningQuery(scope, made.url).queryKey, warning)
        await queryClient.invalidateQueries({ queryKey: hooksKey(scope) })
        noteCreated({ id: made.id, secret: input.secret })
        router.push(hooksPath(scope, made.id))
        refreshPage()
      } catch (error) {
        showFailure(hook, error)
      }
    }),
    isSubmitSuccessful,
  )
  const set = (name: 'events' | 'secret' | 'authorization_header', value: string): void => {
    hook.setValue(name, value, { shouldDirty: true })
    hook.clearErrors(name)
  }

  return (
    <form className={form.form} onSubmit={submit} noValidate method="post">
      <FormBanner title="The webhook couldn’t be created" message={errors.root?.server?.message} />
      <div className={`${form.form} ${form.narrow}`}>
        <TypeField field={hook.register('type')} type={values.type} />
        {scope.kind === 'site' ? (
          <ReachField value={values.system === true} onChange={value => hook.setValue('system', value)} />
        ) : null}
      </div>
      <HookFieldset
        scope={scope}
        saved=""
        type={values.type}
        values={values}
        text={(name: HookTextName) => ({
          ...hook.register(name),
          label: hookLabels[name],
          error: errors[name]?.message,
          autoFocus: name === 'url',
        })}
        contentType={hook.register('content_type')}
        active={{ ...hook.register('active'), label: hookLabels.active }}
        eventsProblem={errors.events?.message}
        onEvents={events => set('events', events)}
      >
        <SecretField
          label="Secret"
          name="secret"
          optional
          value={values.secret}
          error={errors.secret?.message}
          generate={newSecret}
          onChange={secret => set('secret', secret)}
          caption={secretCaption(values.secret)}
        />
        <SecretField
          label="Authorization header"
          name="authorization_header"
          optional
          value={values.authorization_header}
          error={errors.authorization_header?.message}
          onChange={header => set('authorization_header', header)}
          caption={
            <>
              Sent with every delivery, such as <code>Bearer …</code>. You won’t be able to see it again after
              you save it.
            </>
          }
        />
      </HookFieldset>
      <div className={form.actions}>
        <Button type="submit" variant="primary" loading={isSubmitting || isSubmitSuccessful}>
          Create webhook
        </Button>
        <ButtonLink href={hooksPath(scope)}>Cancel</ButtonLink>
      </div>
    </form>
  )
}

// Optional, because some receivers have no field for a secret.
const secretCaption = (secret: string): string =>
  secret === ''
    ? 'Recommended: without a secret, the receiver can’t tell your deliveries from forged ones.'
    : 'Signs each delivery so that the receiver can verify it. You can copy the secret once more after you create the webhook.'

function TypeField({ field, type }: { field: UseFormRegisterReturn; type: HookType }): ReactNode {
  return (
    <FormControl>
      <FormControl.Label>Type</FormControl.Label>
      <Select {...field} block>
        {Object.entries(typeLabels).map(([value, { name }]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </Select>
      <FormControl.Caption>{typeLabels[type].about}</FormControl.Caption>
    </FormControl>
  )
}

const reaches = [
  {
    isSystem: true,
    label: 'Every repository',
    about: 'Receives events from all repositories on this site.',
  },
  {
    isSystem: false,
    label: 'New repositories',
    about: 'Copied into each new repository, where repository administrators can change it.',
  },
]

function ReachField({ value, onChange }: { value: boolean; onChange: (value: boolean) => void }): ReactNode {
  return (
    <ChoiceGroup legend="Applies to">
      {reaches.map(({ isSystem, label, about }) => (
        <FormControl key={label}>
          <Radio
            name="reach"
            value={String(isSystem)}
            checked={value === isSystem}
            onChange={() => onChange(isSystem)}
          />
          <FormControl.Label>{label}</FormControl.Label>
          <FormControl.Caption>{about}</FormControl.Caption>
        </FormControl>
      ))}
    </ChoiceGroup>
  )
}
