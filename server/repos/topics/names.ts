/** Maximum number of topics of a repository. */
export const maxTopics = 25

export const maxTopicLength = 35

/** Message of a form for a text that cannot be the name of a topic. */
export const topicRule = `Use up to ${maxTopicLength} letters, digits, hyphens and dots, beginning with a letter or a digit.`

/** Returns the name of the topic that a text means. */
export const topicNameOf = (text: string): string => text.trim().toLowerCase()

export const isTopicName = (name: string): boolean =>
  name.length <= maxTopicLength && /^[a-z0-9][-.a-z0-9]*$/.test(name)
