/** The shells that can complete, and their scripts. Each calls `hubline __complete`, so a script never gets out of date. */
export const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const;

export type Shell = (typeof SHELLS)[number];

const bash = `# bash completion for hubline. Load it with: source <(hubline completion bash)
_hubline() {
  local cur words cword line directive
  # Words as they were typed: bash would take --flag=value and a:b apart.
  if declare -F _get_comp_words_by_ref >/dev/null; then
    _get_comp_words_by_ref -n =: cur words cword
  else
    cur=\${COMP_WORDS[COMP_CWORD]} words=("\${COMP_WORDS[@]}") cword=$COMP_CWORD
  fi
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      :files|:words) directive=$line ;;
      *) COMPREPLY+=("\${line%%$'\\t'*}") ;;
    esac
  done < <(hubline __complete "\${words[@]:1:cword}" 2>/dev/null)
  if [[ $directive == :files ]]; then
    compopt -o filenames 2>/dev/null
    local prefix=''
    [[ $cur == --*=* ]] && prefix=\${cur%%=*}= && cur=\${cur#*=}
    while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$cur")
  elif declare -F __ltrim_colon_completions >/dev/null; then
    __ltrim_colon_completions "$cur"
  fi
  # Behind --flag= bash replaces the value only.
  if [[ $cur == --*=* && $COMP_WORDBREAKS == *=* ]]; then
    COMPREPLY=("\${COMPREPLY[@]#*=}")
  fi
}
complete -F _hubline hubline
`;

const zsh = `#compdef hubline
# zsh completion for hubline. Load it with: source <(hubline completion zsh)
_hubline() {
  local -a described
  local line directive word
  for line in "\${(@f)$(hubline __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    case $line in
      :files|:words) directive=$line ;;
      *)
        word=\${line%%$'\\t'*}
        described+=("\${word//:/\\\\:}:\${line#*$'\\t'}")
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
function __hubline_complete
    set -l words (commandline -opc) (commandline -ct)
    set -l current (commandline -ct)
    for line in (hubline __complete $words[2..-1] 2>/dev/null)
        switch $line
            case ':words'
            case ':files'
                set -l prefix (string match -r -- '^--[^=]*=' $current)
                for file in (__fish_complete_path (string replace -r -- '^--[^=]*=' '' $current))
                    echo $prefix$file
                end
            case '*'
                echo $line
        end
    end
end
complete -c hubline -f -k -a '(__hubline_complete)'
`;

const powershell = `# PowerShell completion for hubline. Load it with: hubline completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName hubline -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $words = @($commandAst.CommandElements | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })
    if ($wordToComplete -eq '') { $words += '""' }
    foreach ($line in (hubline __complete @words 2>$null)) {
        if ($line -eq ':words') { continue }
        if ($line -eq ':files') {
            Get-ChildItem -Path "$wordToComplete*" -ErrorAction SilentlyContinue | ForEach-Object {
                [System.Management.Automation.CompletionResult]::new($_.Name, $_.Name, 'ProviderItem', $_.Name)
            }
            continue
        }
        $word, $summary = $line -split "\`t", 2
        if (-not $summary) { $summary = $word }
        [System.Management.Automation.CompletionResult]::new($word, $word, 'ParameterValue', $summary)
    }
}
`;

/** The completion script of each shell. */
export const scripts: Readonly<Record<Shell, string>> = { bash, zsh, fish, powershell };
