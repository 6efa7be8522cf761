'use client'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { UseFormRegisterReturn } from 'react-hook-form'
import { Banner } from '@/app/_components/banner'
import { CheckField, ChoiceGroup, TextField } from '@/app/_components/fields'
import form from '@/app/_components/form.module.css'
import { FormControl, Radio } from '@/app/_components/primer'
import { sentence } from '@/app/_lib/failure'
import { addressWarningQuery } from '@/app/_lib/queries/hooks'
import type { HookFields } from '@/server/hooks/manage/schema'
import type { HookType } from '@/server/hooks/schema'
import type { ScopeName } from '@/server/scopes/schema'
import { BranchFilterField } from './branch-filter-field'
import { EventPicker } from './event-picker'
import styles from './hooks.module.css'
import { typeLabels } from './type-labels'

/** Labels of a hook's fields. */
export const hookLabels: Record<keyof HookFields, string> = {
  url: 'URL',
  content_type: 'Content type',
  channel: 'Channel',
  username: 'Display name',
  icon_url: 'Icon URL',
  color: 'Color',
  name: 'Name',
  branch_filter: 'Branch filter',
  events: 'Events',
  active: 'Active',
}

export type HookTextName = 'url' | 'channel' | 'username' | 'icon_url' | 'color' | 'name' | 'branch_filter'

/** Fields that the forms for new and existing hooks have in common. */
interface HookFieldsProps {
  scope: ScopeName
  type: HookType
  /** Values of the controlled fields. */
  values: Pick<HookFields, 'content_type' | 'branch_filter' | 'events'>
  text: (name: HookTextName) => Omit<Parameters<typeof TextField>[0], 'value' | 'type'>
  contentType: UseFormRegisterReturn
  active: Parameters<typeof CheckField>[0]
  eventsProblem: string | undefined
  onEvents: (events: string) => void
  /** The saved URL. Empty for a new hook. */
  saved: string
  /** Additional fields below the URL. */
  children?: ReactNode
}

/** Fields of a webhook, new or existing. */
export function HookFieldset(props: HookFieldsProps): ReactNode {
  const { scope, type, values, text, contentType, active, eventsProblem, onEvents, saved, children } = props
  const labels = typeLabels[type]
  return (
    <>
      <div className={`${form.form} ${form.narrow}`}>
        <AddressField
          {...text('url')}
          scope={scope}
          saved={saved}
          placeholder={labels.placeholder}
          caption={labels.address}
        />
        {type === 'slack' ? <SlackFields text={text} /> : null}
        <TextField
          {...text('name')}
          optional
          autoComplete="off"
          caption="Shown in lists. If you leave this empty, the URL is shown instead."
        />
        {children}
      </div>
      {labels.isChat ? null : <ContentTypeField field={contentType} value={values.content_type} />}
      <EventPicker kind={scope.kind} value={values.events} error={eventsProblem} onChange={onEvents} />
      <div className={`${form.form} ${form.narrow}`}>
        <BranchFilterField {...text('branch_filter')} value={values.branch_filter} />
        <CheckField {...active} caption="Events that occur while this is off won’t be sent." />
      </div>
    </>
  )
}

type AddressFieldProps = ReturnType<HookFieldsProps['text']> & { scope: ScopeName; saved: string }

/** URL field with a warning if the site can't deliver to it. Checked when the field loses the focus. */
function AddressField({ scope, saved, onBlur, ...input }: AddressFieldProps): ReactNode {
  const [entered, setEntered] = useState(saved)
  const url = entered.trim()
  const { data: warning } = useQuery({
    ...addressWarningQuery(scope, url),
    enabled: /^https?:\/\/./i.test(url),
  })
  return (
    <div className={styles.stack}>
      <TextField
        {...input}
        type="url"
        autoComplete="off"
        spellCheck={false}
        onBlur={event => {
          setEntered(event.target.value)
          onBlur?.(event)
        }}
      />
      <div role="status">
        {warning ? (
          <Banner
            variant="warning"
            title={warning.kind === 'denied' ? 'Deliveries to this URL are blocked' : 'Host not found'}
            description={`${sentence(warning.message)} ${warning.kind === 'denied' ? 'A site administrator can allow it.' : ''}`}
          />
        ) : null}
      </div>
    </div>
  )
}

function SlackFields({ text }: Pick<HookFieldsProps, 'text'>): ReactNode {
  return (
    <>
      <TextField {...text('channel')} autoComplete="off" spellCheck={false} placeholder="#deployments" />
      <TextField
        {...text('username')}
        optional
        autoComplete="off"
        caption="The name that appears on posted messages."
      />
      <TextField {...text('icon_url')} optional autoComplete="off" />
      <TextField
        {...text('color')}
        optional
        autoComplete="off"
        caption="The color of the bar next to messages, such as #a2381b."
      />
    </>
  )
}

const contentTypes = [
  {
    value: 'json',
    label: 'JSON',
    about: (
      <>
        The payload is sent as an <code>application/json</code> request body. Works with most receivers.
      </>
    ),
  },
  {
    value: 'form',
    label: 'Form',
    about: (
      <>
        The payload is sent in the <code>payload</code> field of an{' '}
        <code>application/x-www-form-urlencoded</code> form.
      </>
    ),
  },
]

function ContentTypeField({ field, value }: { field: UseFormRegisterReturn; value: string }): ReactNode {
  return (
    <ChoiceGroup legend={hookLabels.content_type}>
      {contentTypes.map(({ value: offered, label, about }) => (
        <FormControl key={offered}>
          <Radio {...field} value={offered} checked={offered === value} />
          <FormControl.Label>{label}</FormControl.Label>
          <FormControl.Caption>{about}</FormControl.Caption>
        </FormControl>
      ))}
    </ChoiceGroup>
  )
}
