'use client'
import { type ReactNode, useRef, useState } from 'react'
import { ChoiceGroup } from '@/app/_components/fields'
import { AlertFillIcon } from '@/app/_components/icons'
import { Checkbox, FormControl, Radio } from '@/app/_components/primer'
import type { HookEventName } from '@/server/hooks/event-names'
import type { ScopeName } from '@/server/scopes/schema'
import {
  allEvents,
  choiceOf,
  type EventChoice,
  eventLabels,
  offeredGroups,
  unsentEvents,
} from './event-labels'
import styles from './event-picker.module.css'

interface EventPickerProps {
  kind: ScopeName['kind']
  /** The selected events, separated by spaces. */
  value: string
  error: string | undefined
  onChange: (value: string) => void
}

/** Selects the events to send: pushes, all events, or individual ones. */
export function EventPicker({ kind, value, error, onChange }: EventPickerProps): ReactNode {
  const events = value.split(' ').filter(Boolean)
  const [isChoosing, setChoosing] = useState(false)
  const choice = isChoosing ? 'selected' : choiceOf(events)
  // Keeps the individual selection while another option is selected.
  const selected = useRef(value)

  const unsent = unsentEvents(kind)
  const select = (next: EventChoice): void => {
    if (choice === 'selected') selected.current = value
    setChoosing(next === 'selected')
    onChange(next === 'push' ? 'push' : next === 'all' ? allEvents.join(' ') : selected.current)
  }
  const toggle = (event: HookEventName, isOn: boolean): void => {
    setChoosing(true)
    const next = isOn ? [...events, event] : events.filter(other => other !== event)
    onChange(next.sort().join(' '))
  }
  const boxes = (offered: readonly HookEventName[]): ReactNode => (
    <div className={styles.events}>
      {offered.map(event => (
        <FormControl key={event}>
          <Checkbox
            value={event}
            checked={events.includes(event)}
            onChange={({ target }) => toggle(event, target.checked)}
          />
          <FormControl.Label>{eventLabels[event].label}</FormControl.Label>
          <FormControl.Caption>{eventLabels[event].about}</FormControl.Caption>
        </FormControl>
      ))}
    </div>
  )

  return (
    <ChoiceGroup legend="Events" describedBy={error ? 'events-error' : undefined}>
      {choices.map(({ choice: offered, label, about }) => (
        <FormControl key={offered}>
          <Radio
            name="event-choice"
            value={offered}
            checked={choice === offered}
            onChange={() => select(offered)}
          />
          <FormControl.Label>{label}</FormControl.Label>
          <FormControl.Caption>{about}</FormControl.Caption>
        </FormControl>
      ))}
      {choice === 'selected' ? (
        <div className={styles.groups}>
          {offeredGroups(kind).map(({ title, about, events: offered }) => (
            <fieldset key={title} className={styles.group}>
              <legend className={styles.legend}>{title}</legend>
              {about ? <p className={styles.about}>{about}</p> : null}
              {boxes(offered)}
            </fieldset>
          ))}
          <details className={styles.group} open={unsent.some(event => events.includes(event)) || undefined}>
            <summary className={styles.legend}>Other events</summary>
            <p className={styles.about}>
              These events are accepted for compatibility with Gitea but are never sent because this site has
              no issues, pull requests, packages, or wikis.
            </p>
            {boxes(unsent)}
          </details>
        </div>
      ) : null}
      {error ? (
        <p id="events-error" role="alert" className={styles.error}>
          <AlertFillIcon size={12} /> {error}
        </p>
      ) : null}
    </ChoiceGroup>
  )
}

const choices: readonly { choice: EventChoice; label: string; about: string }[] = [
  { choice: 'push', label: 'Pushes', about: 'Enough for most builds and deployments.' },
  { choice: 'all', label: 'All events', about: 'Everything, including events that Gitea doesn’t have.' },
  { choice: 'selected', label: 'Selected events', about: 'Select individual events.' },
]
