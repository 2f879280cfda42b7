import { POWERSHELL_QUOTE } from '../terminal/shell-word.ts';

/** The shells that can complete, and their scripts. Each calls `hubline __complete`, so a script never gets out of date. */
export const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const;

export type Shell = (typeof SHELLS)[number];

const bash = `# bash completion for hubline. Load it with: source <(hubline completion bash)
_hubline() {
  local cur word line directive part joined=0
  local -a words=()
  # Words as they were typed: bash takes --flag=value and a:b apart.
  for part in "\${COMP_WORDS[@]:1:COMP_CWORD}"; do
    if [[ \${#words[@]} -gt 0 && ( $joined == 1 || $part == [=:] ) ]]; then
      words[\${#words[@]}-1]+=$part
    else
      words+=("$part")
    fi
    [[ $part == [=:] ]] && joined=1 || joined=0
  done
  cur=\${words[\${#words[@]}-1]}
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      :files|:words) directive=$line ;;
      *)
        # An unescaped star would expand to file names.
        printf -v word %q "\${line%%$'\\t'*}"
        COMPREPLY+=("$word")
        ;;
    esac
  done < <(hubline __complete "\${words[@]}" 2>/dev/null)
  if [[ $directive == :files ]]; then
    compopt -o filenames 2>/dev/null
    [[ $cur == --*=* ]] && cur=\${cur#*=}
    while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$cur")
  # After = or : bash replaces only the text that follows.
  elif [[ $cur == --*=* && $COMP_WORDBREAKS == *=* ]]; then
    COMPREPLY=("\${COMPREPLY[@]#*=}")
  elif [[ $cur == *:* && $COMP_WORDBREAKS == *:* ]]; then
    COMPREPLY=("\${COMPREPLY[@]#"\${cur%:*}":}")
  fi
}
complete -F _hubline hubline
`;

const zsh = `#compdef hubline
# zsh completion for hubline. Load it with: source <(hubline completion zsh)
_hubline() {
  local -a described
  local line directive word summary
  for line in "\${(@f)$(hubline __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    case $line in
      :files|:words) directive=$line ;;
      *)
        word=\${line%%$'\\t'*}
        summary=\${line#*$'\\t'}
        described+=("\${word//:/\\\\:}\${summary:+:$summary}")
        ;;
    esac
  done
  (( \${#described} )) && _describe -V hubline described
  if [[ $directive == :files ]]; then
    compset -P '--*='
    _files
  fi
}
if [[ $funcstack[1] == _hubline ]]; then
  _hubline "$@"
else
  compdef _hubline hubline
fi
`;

const fish = `# fish completion for hubline. Load it with: hubline completion fish | source
function __hubline_ask
    set -l words (commandline -opc) (commandline -ct)
    set -g __hubline_lines (hubline __complete $words[2..-1] 2>/dev/null)
end
# fish tests the later line first. It completes files itself, unless a line has -f: it knows ~ and escaped spaces.
complete -c hubline -n 'contains -- :words $__hubline_lines' -f
complete -c hubline -n __hubline_ask -k -a '$__hubline_lines[1..-2]'
`;

const powershell = `# PowerShell completion for hubline. Load it with: hubline completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName hubline -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $typed = $commandAst.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.StartOffset -lt $cursorPosition }
    # Quoted words are passed without their quotes.
    $words = @($typed | ForEach-Object { if ($_ -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $_.Value } else { $_.ToString() } })
    if ($wordToComplete -eq '') { $words += '""' }
    foreach ($line in (hubline __complete @words 2>$null)) {
        if ($line -eq ':words') { continue }
        if ($line -eq ':files') {
            $flag, $path = if ($wordToComplete -match '^(--[^=]*=)(.*)$') { $Matches[1], $Matches[2] } else { '', $wordToComplete }
            [System.Management.Automation.CompletionCompleters]::CompleteFilename($path) | ForEach-Object {
                [System.Management.Automation.CompletionResult]::new($flag + $_.CompletionText, $_.ListItemText, $_.ResultType, $_.ToolTip)
            }
            continue
        }
        $word, $summary = $line -split "\`t", 2
        if (-not $summary) { $summary = $word }
        # Without quotes, a star would expand to file names, and a comma would make a list.
        $text = if ($word -match '^[\\w=./:-]+$') { $word } else { "'" + ($word -replace "${POWERSHELL_QUOTE}", '$0$0') + "'" }
        [System.Management.Automation.CompletionResult]::new($text, $word, 'ParameterValue', $summary)
    }
}
`;

/** The completion script of each shell. */
export const scripts: Readonly<Record<Shell, string>> = { bash, zsh, fish, powershell };
