'use client'
// The one door to the UI kit: naming what is used keeps the rest out of the bundle.
export {
  ActionList,
  ActionMenu,
  Avatar,
  Banner,
  Breadcrumbs,
  Button,
  Checkbox,
  CounterLabel,
  Dialog,
  FormControl,
  IconButton,
  Label,
  Link,
  NavList,
  Pagination,
  Radio,
  RelativeTime,
  SegmentedControl,
  SkeletonBox,
  Textarea,
  TextInput,
  ThemeProvider,
  Tooltip,
  useTheme,
} from '@primer/react'
export { Blankslate } from '@primer/react/experimental'
